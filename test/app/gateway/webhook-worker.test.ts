import { webhookScene } from '../../platforms/webhook/scene.ts';
import { testInWorkers } from './in-workers.ts';

testInWorkers('A webhook', webhookScene);
