import { InvalidArgumentError } from 'commander';

/** Reads the value of a flag that counts something. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return number;
}
