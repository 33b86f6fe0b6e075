import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';
import { telegramScene } from './scene.ts';

testPlatformConformance('Telegram', telegramScene);
