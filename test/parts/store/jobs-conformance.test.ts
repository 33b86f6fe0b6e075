import { testJobStoreConformance } from '../../../src/testing/conformance/job-store.ts';
import { stageGatewayStore } from './stage.ts';

testJobStoreConformance('SQLite', () => stageGatewayStore());
