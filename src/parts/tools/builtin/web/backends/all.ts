import type { Backend } from './backend.ts';
import { brave } from './brave.ts';
import { exa } from './exa.ts';
import { firecrawl } from './firecrawl.ts';
import { parallel } from './parallel.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

/** In the order in which they are asked when the owner named none. */
export const BACKENDS: readonly Backend[] = [exa, tavily, firecrawl, parallel, brave, searxng];
