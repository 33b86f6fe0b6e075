import { testMemoryCursorConformance } from '../../../src/testing/conformance/memory-cursors.ts';
import { stageGatewayStore } from './stage.ts';

testMemoryCursorConformance('SQLite', () => stageGatewayStore());
