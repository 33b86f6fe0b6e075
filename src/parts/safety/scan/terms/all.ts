import { bypassing } from './bypassing.ts';
import { channel } from './channel.ts';
import { common } from './common.ts';
import { conduct } from './conduct.ts';
import { deceiving } from './deceiving.ts';
import { keeping, widening } from './keeping.ts';
import { machine } from './machine.ts';
import { markup } from './markup.ts';
import { overriding } from './overriding.ts';
import { persons } from './persons.ts';
import { places, showing } from './places.ts';
import { secrets } from './secrets.ts';
import { manners, sides } from './sides.ts';

export const TERMS = [
  common,
  overriding,
  bypassing,
  deceiving,
  secrets,
  conduct,
  machine,
  sides,
  manners,
  markup,
  places,
  showing,
  persons,
  channel,
  keeping,
  widening,
];
