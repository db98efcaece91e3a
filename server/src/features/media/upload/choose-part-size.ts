const megabyte = 1024 * 1024

/** The largest part anybody is asked for; 10,000 of them are more than any store takes. */
export const partBytesMax = 64 * megabyte

/** Few enough parts for one answer, small enough to be sent again when one is lost. */
export function choosePartSize(sizeBytes: number): number {
  const wished = Math.ceil(sizeBytes / 100 / megabyte) * megabyte
  return Math.min(partBytesMax, Math.max(8 * megabyte, wished))
}
