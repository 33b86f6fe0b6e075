import { openScene } from '../../platforms/slack/scene.ts';
import { testInWorkers } from './in-workers.ts';

testInWorkers('Slack', openScene);
