/** Lets a generator run what it does at its end, wherever it stands; one that has ended stays as it is. */
export const endGenerator = async (events: AsyncGenerator<unknown, unknown>): Promise<void> => void (await events.return(undefined));
