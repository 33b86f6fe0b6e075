import { testGatewayStoreConformance } from '../../../src/testing/conformance/gateway-store.ts';
import { stageGatewayStore } from './stage.ts';

testGatewayStoreConformance('SQLite', () => stageGatewayStore());
