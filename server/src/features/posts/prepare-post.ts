import type { Accepted, Endpoint, NewPost, PostType } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { createValidator } from '../../infra/http/schemas/create-validator.ts'
import { createPost } from './create-post.ts'
import { fetchNamedFiles } from './files/fetch-named-files.ts'
import { prepareWithFiles } from './files/prepare-with-files.ts'
import { isForm } from '../media/upload/read-form.ts'
import { readPostForm } from './files/read-post-form.ts'

type Call = { ctx: Context; request: FastifyRequest; principal: { workspaceId: string }; body: unknown }

/** Prepares a new post with files, sent as JSON or as a form: files are stored first, while no transaction is open. */
export function preparePost(endpoint: Endpoint, type: PostType): (call: Call) => Promise<Prepared<Accepted>> {
  const check = createValidator(endpoint.body, 'body')
  const { properties = {} }: { properties?: object } = endpoint.body ?? {}
  const fields = new Set(Object.keys(properties))
  return ({ ctx, request, principal: { workspaceId }, body: json }) =>
    prepareWithFiles(ctx, async (stored) => {
      const form = isForm(request) ? await readPostForm(ctx, request, { workspaceId, stored, fields }) : null
      const unchecked = form?.body ?? json
      check(unchecked)
      const body = unchecked as NewPost
      // An asynchronous post is answered before a worker fetches the files that it names by URL. Nobody can approve files that are not there.
      const complete = body.async && !body.submit ? body : await fetchNamedFiles(ctx, body, { workspaceId, stored })
      return { fingerprint: form?.fingerprint ?? null, store: (scope) => createPost(scope, type, complete) }
    })
}
