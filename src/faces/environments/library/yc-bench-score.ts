/** A company as its database tells of it when the run is over. */
export interface CompanyEnd {
  readonly fundsCents: number;
  /** What it began with. */
  readonly initialCents: number;
  /** All that was booked since. */
  readonly bookedCents: number;
  /** Simulated time, and when the simulation ends, as the database writes them: they compare as texts. */
  readonly simTime: string;
  readonly horizonEnd: string;
  /** Bankruptcies, which are noted when they happen, and the end, which is planned from the start; in the order of their dates. */
  readonly endings: readonly string[];
}
export interface CompanyScore {
  readonly score: number;
  readonly survived: boolean;
}

/** The formula of the Python environments divides by this, whatever the company began with. */
const SEED_CENTS = 25_000_000;
/** A hundredfold is as good as it gets, in both formulas. */
const MOST = 100;
const [SURVIVAL, FUNDS] = [0.5, 0.5];

/**
 * As the Python environments score: half for survival, half for money on a logarithmic scale. The end of the simulation is planned
 * from the start, so that a company whose chief left on the first day has "survived".
 */
export function scoreBySeed({ fundsCents, endings }: CompanyEnd): CompanyScore {
  const survived = fundsCents >= 0 && endings.at(-1) !== 'bankruptcy';
  const money = fundsCents <= 0 ? 0 : Math.min(Math.log(1 + fundsCents / SEED_CENTS) / Math.log(1 + MOST), 1);
  return { score: SURVIVAL * Number(survived) + FUNDS * money, survived };
}

/**
 * Ours: only a company that came to the end of its simulated time without going bankrupt has survived, and money counts as far as
 * there is more than at the beginning. Funds that are not the sum of what was booked were written by hand, and are worth nothing.
 */
export function scoreCompany(end: CompanyEnd): CompanyScore {
  const { fundsCents, initialCents, bookedCents, simTime, horizonEnd, endings } = end;
  const isBooked = fundsCents === initialCents + bookedCents;
  const survived = isBooked && fundsCents >= 0 && simTime >= horizonEnd && !endings.includes('bankruptcy');
  if (!survived) return { score: 0, survived };
  const growth = fundsCents <= initialCents ? 0 : Math.min(Math.log(fundsCents / initialCents) / Math.log(MOST), 1);
  return { score: SURVIVAL + FUNDS * growth, survived };
}
