import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';
import { openScene } from './scene.ts';

testPlatformConformance('Slack', openScene);
