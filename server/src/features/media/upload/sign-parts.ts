import type { Context } from '../../../context.ts'

type Upload = { key: string; uploadId: string; sizeBytes: number; partSizeBytes: number; expiresInSeconds: number }

/** The URLs to which the parts of an upload are sent. All parts but the last have the same size. */
export function signParts(
  { storage }: Context,
  { key, uploadId, sizeBytes, partSizeBytes, expiresInSeconds }: Upload,
): Promise<{ partNumber: number; url: string }[]> {
  const sign = async (_: unknown, index: number) => {
    const partNumber = index + 1
    const part = { uploadId, partNumber, sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes) }
    return { partNumber, url: await storage.parts.sign(key, { ...part, expiresInSeconds }) }
  }
  return Promise.all(Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, sign))
}
