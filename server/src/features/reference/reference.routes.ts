import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../infra/problem/problem.ts'
import { icon, styleSheet } from './style-sheet.ts'
import { pageHeaders, referencePage, startScript } from './reference-page.ts'
import { sendStatic } from '../../infra/http/send-page.ts'
import { programFiles } from '../../infra/program/program-files.ts'

const script = 'text/javascript; charset=utf-8'

const ownFiles: Readonly<Record<string, { type: string; text: string }>> = {
  'start.js': { type: script, text: startScript },
  'style.css': { type: 'text/css; charset=utf-8', text: styleSheet },
  'icon.svg': { type: 'image/svg+xml', text: icon },
}

/** The API reference as a page at /docs and as a document at /docs/openapi.json. The page loads everything from this host. */
export function referenceRoutes(app: FastifyInstance): void {
  app.get('/docs', (_request, reply) => reply.headers(pageHeaders).send(referencePage))
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
  for (const [name, { type, text }] of Object.entries(ownFiles))
    app.get(`/docs/${name}`, (_request, reply) => reply.headers({ 'content-type': type, 'cache-control': 'no-cache' }).send(text))

  app.get('/docs/openapi.json', (request, reply) => {
    // Public: tools on any site may read it.
    void reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
    return sendStatic(request, reply, {
      path: programFiles.openApi(),
      type: 'application/json; charset=utf-8',
      cache: 'no-cache',
    })
  })

  // The answer to every refused request names this address. The pages are Markdown, which reads well as it is.
  app.get<{ Params: { code: string } }>('/docs/errors/:code', (request, reply) => {
    const { code } = request.params
    if (!/^[a-z0-9_]+$/.test(code)) throw problem('route_not_found')
    const path = join(programFiles.errorPages(), `${code}.md`)
    return sendStatic(request, reply, { path, type: 'text/plain; charset=utf-8', cache: 'no-cache' })
  })

  app.get<{ Params: { '*': string } }>('/docs/viewer/*', (request, reply) => {
    const name = request.params['*']
    if (!/^(?:chunks\/)?[\w.-]+\.js$/.test(name)) throw problem('route_not_found')
    const path = join(programFiles.apiViewer(), name)
    // The name of a chunk changes with its content.
    const cache = name.startsWith('chunks/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    return sendStatic(request, reply, { path, type: script, cache })
  })
}
