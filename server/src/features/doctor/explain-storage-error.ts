import { fail, type Finding, type Subject } from './check.ts'

const s3Actions: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create the bucket, or correct CARILLON_S3_BUCKET.',
  SignatureDoesNotMatch: 'Correct CARILLON_S3_SECRET_KEY.',
  InvalidAccessKeyId: 'Correct CARILLON_S3_ACCESS_KEY.',
  AccessDenied: 'Allow this key to put, get and delete objects of the bucket, or correct CARILLON_S3_ACCESS_KEY.',
  ECONNREFUSED: 'Start the store, or correct CARILLON_S3_ENDPOINT.',
  ENOTFOUND: 'Correct CARILLON_S3_ENDPOINT.',
}

const folderActions: Readonly<Record<string, string>> = {
  EACCES: 'Give the folder to the user that runs Carillon (chown), or set CARILLON_MEDIA_DIR to another folder.',
  EROFS: 'Mount a volume that can be written there, or set CARILLON_MEDIA_DIR to another folder.',
  ENOSPC: 'Free some space on the disk.',
  ENOTDIR: 'A part of the path is a file. Correct CARILLON_MEDIA_DIR.',
  EEXIST: 'A file is in the way. Correct CARILLON_MEDIA_DIR.',
}

/** What an error of the media store means for an operator. */
export function explainStorageError(error: unknown, place: string, { media }: Subject['config']): Finding {
  // Errors of the store are wrapped in one that is meant for clients of the API.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { name, code, message } = cause as Error & { code?: string }
  const actions = media.s3 ? s3Actions : folderActions
  const action = actions[code ?? ''] ?? actions[name] ?? 'Correct the settings of the media store.'
  return fail(`Files cannot be stored in ${place}: ${code ?? name}: ${message}.`, action)
}
