import { telegramScene } from '../../platforms/telegram/scene.ts';
import { testInWorkers } from './in-workers.ts';

testInWorkers('Telegram', telegramScene);
