/** Run by `node --test`: the rows that our API for tests keeps, asked of the real one; see prove-atropos.ts. */
import { testAtroposApiConformance } from '../../../src/testing/conformance/atropos-api.ts';
import { startRealApi } from './run-api.ts';

testAtroposApiConformance('run-api of atroposlib', startRealApi);
