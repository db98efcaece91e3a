const megabyte = 1024 * 1024

/** The largest part that clients are asked to send. S3 allows 10,000 parts, so this is enough for any file that it accepts. */
export const partBytesMax = 64 * megabyte

/** Parts are large enough to list their URLs in one answer and small enough to be sent again after a failure. */
export function choosePartSize(sizeBytes: number): number {
  const targetBytes = Math.ceil(sizeBytes / 100 / megabyte) * megabyte
  return Math.min(partBytesMax, Math.max(8 * megabyte, targetBytes))
}
