/** The buffers through which files are sent: large ones, kept for reuse between transfers, as long as few are lent. */

/**
 * Bytes of one buffer. Measured: six times the 64 KiB of a file stream costs a third of the time per byte,
 * and still more gains nothing. A transfer holds two at most, so a stalled client costs 768 KiB.
 */
export const SEND_BUFFER_BYTES = 384 * 1024;

/** How many of these may be lent at a time (96 MiB): thousands of readers who take little can't fill the memory. */
const MAX_LENT_BUFFERS = 256;

/** Of one that is lent beyond that, and made for the occasion. */
const SMALL_BUFFER_BYTES = 32 * 1024;

/** How many idle buffers are kept (24 MiB); what a burst needs beyond that goes back to the system. */
const MAX_IDLE_BUFFERS = 64;

const idle: Buffer[] = [];
const lent = new Set<Buffer>();

/** The last one given back comes first: it is the one still in the processor's cache. */
export function takeSendBuffer(): Buffer {
  if (lent.size >= MAX_LENT_BUFFERS) return Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SEND_BUFFER_BYTES);
  lent.add(buffer);
  return buffer;
}

/** Once for each, and only when neither a read nor a socket still uses it. */
export function giveBackSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
  if (buffer.length === SEND_BUFFER_BYTES && idle.length < MAX_IDLE_BUFFERS) idle.push(buffer);
}

/** For a buffer whose client has left: a socket may still use it. One that isn't given back after that is collected. */
export function giveUpSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
}
