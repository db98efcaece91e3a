import type { MediaRef, Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { describeFiles } from '../../media/describe-files.ts'
import { presentPost } from './present-post.ts'
import type { Shown, ShownPost } from './shown-post.store.ts'

/** Posts as clients see them, with the files they show. */
export async function showPosts(scope: RequestScope, found: readonly Shown[]): Promise<Post[]> {
  const { ctx, tx, principal } = scope
  const withFiles = found.filter(({ post }) => post.type !== 'text').map(({ post }) => post.id)
  const files = await describeFiles(ctx, tx, principal.workspaceId, withFiles)
  return found.map((each) => presentPost(each, [...(files.get(each.post.id) ?? []), ...awaited(each.post)]))
}

export async function showPost(scope: RequestScope, found: Shown): Promise<Post> {
  const [post] = await showPosts(scope, [found])
  if (!post) throw new Error('there is nothing to show')
  return post
}

/** Files not fetched yet, by the address they are at. */
function awaited({ pending_medias: pending }: ShownPost): MediaRef[] {
  return (pending ?? [])
    .filter(({ connection, entry }) => connection === '' && entry.startsWith('http'))
    .map(({ entry, alt }) => ({
      id: null,
      name: null,
      type: null,
      mimeType: null,
      url: entry,
      thumbnailUrl: null,
      alt: alt ?? '',
    }))
}
