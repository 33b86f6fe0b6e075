/** How it stands with the latest request. Notes outlive the turn they were written in, so an open one is told as open then. */
export const REQUEST_OPEN =
  'The latest request of the user, still open when these notes were written: go on with it, unless the messages below answer it or bring a newer one.';
export const REQUEST_SHOWN = 'The latest request of the user.';
export const REQUEST_ANSWERED = 'None is open. The latest request was answered.';
export const describeEndedRequest = (how: string): string =>
  `None is open. The turn of the latest request ended without a full answer (${how}).`;
export const describeUnfinishedTasks = (how: string): string =>
  `The turn of the latest request has ended (${how}), but tasks of it are still open; they are listed below.`;

/** How its words are given. */
export const REQUEST_WHOLE = 'Word for word:';
export const REQUEST_BELOW = 'It stands among the messages shown here:';
export const describeShortenedRequest = (seqs: readonly number[], recall: string | undefined): string =>
  `It is too long for the window and shortened here; ${
    recall === undefined
      ? `the log has it whole (${seqs.map((seq) => `entry ${seq}`).join(', ')}).`
      : `the rest comes back with ${seqs.map((seq) => `${recall} {"from":${seq},"to":${seq}}`).join(', ')}.`
  }`;
export const ATTACHED = 'Its images and files stand at the end of these notes.';
export const describeUnattached = (count: number): string => `${count} of its images and files did not fit and cannot be seen any more.`;
export const ACTIVE_NONE = 'None: the user has not asked for anything yet.';
export const describeOmittedMessages = (count: number): string =>
  `- (${count} older ${count === 1 ? 'message is' : 'messages are'} left out here)`;
