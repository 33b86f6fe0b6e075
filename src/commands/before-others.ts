import { UsageError } from '../base/errors.ts';

/** A chat that others read is no place for what is the owner's to see. */
export function refuseBeforeOthers(othersRead: boolean | undefined, name: string): void {
  if (othersRead === true) throw new UsageError(`others read this chat. Send /${name} in your private chat.`);
}
