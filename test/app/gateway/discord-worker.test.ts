import { openScene } from '../../platforms/discord/scene.ts';
import { testInWorkers } from './in-workers.ts';

testInWorkers('Discord', openScene);
