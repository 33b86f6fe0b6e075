import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';
import { webhookScene } from './scene.ts';

testPlatformConformance('A webhook', webhookScene);
