import type { MediaRef, Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { describeFiles } from '../../media/describe-files.ts'
import { presentPost } from './present-post.ts'
import type { PostView, PostViewRow } from './post-view.store.ts'

/** Maps posts to the API shape, together with their files. */
export async function showPosts(scope: RequestScope, found: readonly PostView[]): Promise<Post[]> {
  const { ctx, tx, principal } = scope
  const withFiles = found.filter(({ post }) => post.type !== 'text').map(({ post }) => post.id)
  const files = await describeFiles(ctx, tx, principal.workspaceId, withFiles)
  return found.map((view) => presentPost(view, [...(files.get(view.post.id) ?? []), ...pendingFiles(view.post)]))
}

export async function showPost(scope: RequestScope, found: PostView): Promise<Post> {
  const [post] = await showPosts(scope, [found])
  if (!post) throw new Error('showPosts returned no post')
  return post
}

/** Files that have not been fetched yet, with their URL. */
function pendingFiles({ pending_medias: pending }: PostViewRow): MediaRef[] {
  return (pending ?? [])
    .filter(({ connection, entry }) => connection === '' && entry.startsWith('http'))
    .map(({ entry, alt }) => ({
      id: null,
      name: null,
      type: null,
      mimeType: null,
      url: entry,
      thumbnailUrl: null,
      pages: null,
      alt: alt ?? '',
    }))
}
