/** The large buffers through which files are sent, kept for reuse between transfers. */

/**
 * Bytes of one buffer. Measured: six times the 64 KiB of a file stream costs a third of the time per byte,
 * and still more gains nothing. A transfer holds two at most, so a stalled client costs 768 KiB.
 */
export const SEND_BUFFER_BYTES = 384 * 1024;

/** How many idle buffers are kept (24 MiB); what a burst needs beyond that goes back to the system. */
const MAX_IDLE_BUFFERS = 64;

const idle: Buffer[] = [];

/** The last one given back comes first: it is the one still in the processor's cache. */
export function takeSendBuffer(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(SEND_BUFFER_BYTES);
}

/** Only for a buffer that neither a read nor a socket still uses. A buffer that isn't given back is collected. */
export function giveBackSendBuffer(buffer: Buffer): void {
  if (idle.length < MAX_IDLE_BUFFERS) idle.push(buffer);
}
