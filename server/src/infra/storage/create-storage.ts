import type { Config } from '../../config.ts'
import { createSigner } from './create-signer.ts'
import { createFolderStorage } from './create-folder-storage.ts'
import { createS3Storage } from './create-s3-storage.ts'
import type { Storage } from './storage.ts'

export function createStorage({ media, secretKeys }: Pick<Config, 'media' | 'secretKeys'>): Storage {
  if (media.s3) return createS3Storage(media.s3, media.dir)
  return createFolderStorage({ dir: media.dir, filesUrl: media.filesUrl, signer: createSigner(secretKeys) })
}
