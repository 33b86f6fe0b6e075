import { startAtroposApi } from '../../src/testing/atropos/server.ts';
import { testAtroposApiConformance } from '../../src/testing/conformance/atropos-api.ts';

// The real one keeps the same rows: npm run prove -- atropos.
testAtroposApiConformance('the API for tests', startAtroposApi);
