import type { Accepted, Endpoint, NewPost, PostType } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { createValidator } from '../../infra/http/create-validator.ts'
import { createPost } from './create-post.ts'
import { fetchNamed } from './files/fetch-named.ts'
import { keepFiles } from './files/keep-files.ts'
import { readPostForm } from './files/read-post-form.ts'

type Call = { ctx: Context; request: FastifyRequest; principal: { workspaceId: string }; body: unknown }

/** Takes in a new post with files, from JSON or a form: the files first, without a transaction, then everything in one. */
export function receivePost(endpoint: Endpoint, type: PostType): (call: Call) => Promise<Prepared<Accepted>> {
  const check = createValidator(endpoint.body, 'body')
  return ({ ctx, request, principal: { workspaceId }, body: json }) =>
    keepFiles(ctx, async (kept) => {
      const form = request.isMultipart() ? await readPostForm(ctx, request, { workspaceId, kept }) : null
      const named = form?.body ?? json
      check(named)
      const body = named as NewPost
      // An asynchronous post answers first; what lies at an address is fetched afterwards.
      const complete = body.async ? body : await fetchNamed(ctx, body, { workspaceId, kept })
      return { fingerprint: form?.fingerprint ?? null, store: (scope) => createPost(scope, type, complete) }
    })
}
