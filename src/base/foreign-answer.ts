/** What an answer means that does not come from the service that was called: from a proxy, say, or the page of a login. */
export interface ForeignAnswer {
  /** Surely not carried out, or nobody can say. */
  readonly type: 'unreached' | 'lost';
  readonly why: string;
}

/** Never a refusal: whoever answered cannot speak for the service. With a status of 3xx or 4xx the call was not passed on. */
export const readForeignAnswer = (service: string, status: number): ForeignAnswer => ({
  type: status >= 300 && status < 500 ? 'unreached' : 'lost',
  why: `a server on the way to ${service} answered ${status}`,
});

/** A call that is too large for the way to the service never gets there, whoever says so. */
export const TOO_LARGE = 413;
