import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findAttached } from '../../media/find-media.ts'
import type { PostFile, PostFiles } from './post-files.ts'
import type { PostRow } from '../post.store.ts'

/** The files a stored post shows, as a request would have named them. */
export async function storedFiles({ tx }: RequestScope, post: PostRow): Promise<PostFiles> {
  if (post.pending_medias) {
    const files = post.pending_medias.map(({ connection, entry, alt }) => ({ connection, file: { entry, row: null, alt } }))
    return group(files)
  }
  const attached = post.type === 'text' ? [] : await findAttached(tx, post.workspace_id, [post.id])
  return group(attached.map(({ connection, row, alt }) => ({ connection, file: { entry: row.id, row, alt } })))
}

function group(files: readonly { connection: string; file: PostFile }[]): PostFiles {
  const by = Map.groupBy(files, ({ connection }) => connection)
  const list = (connection: string) => (by.get(connection) ?? []).map(({ file }) => file)
  return { common: list(''), own: new Map([...by.keys()].filter((key) => key !== '').map((key) => [key, list(key)])) }
}
