/** A channel without subscribers. */
const channelOf = () => ({ hasSubscribers: false, publish: (): void => undefined });

export const channel = channelOf;

export const tracingChannel = channelOf;
