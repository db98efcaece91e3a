import { CarillonError } from '@carillon/sdk'
import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type Variables,
} from '@modelcontextprotocol/server'
import type { Desk } from './desk.ts'
import { describeFile } from './tools/media.ts'
import { describePost } from './words/describe-post.ts'

type Resource = {
  name: string
  template: string
  title: string
  description: string
  read(key: string, desk: Desk): Promise<unknown>
}

/** What a client can attach to a conversation. Nothing is listed: a workspace may have a million posts. */
const resources: readonly Resource[] = [
  {
    name: 'post',
    template: 'carillon://posts/{key}',
    title: 'A post',
    description: 'The state of a post and its text, by id',
    read: async (id, { carillon, workspace, links }) =>
      describePost(await carillon.content.get(id), { timezone: workspace.timezone, links, detail: true }),
  },
  {
    name: 'file',
    template: 'carillon://media/{key}',
    title: 'A file',
    description: 'The facts of a file in the media library, by id',
    read: async (id, { carillon }) => describeFile(await carillon.media.get(id)),
  },
  {
    name: 'platform',
    template: 'carillon://platforms/{key}',
    title: 'A platform',
    description: 'The limits of a platform and the schema of its settings, by name',
    async read(name, { carillon }) {
      const found = (await carillon.platforms.list()).find(({ platform }) => platform === name)
      if (!found) return undefined
      const { text, photos, video, document, can, settings, formats } = found
      return { platform: name, formats, text, photos, video, document, can, settings }
    },
  },
]

export function registerResources(server: McpServer, openDesk: () => Promise<Desk>): void {
  for (const { name, template, title, description, read } of resources) {
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      { title, description, mimeType: 'application/json' },
      async (uri, variables) => showJson(uri, await readOrNone(uri, read(keyIn(variables), await openDesk()))),
    )
  }
}

/** What is unknown, or belongs to another workspace, is not there. */
async function readOrNone(uri: URL, reading: Promise<unknown>): Promise<unknown> {
  const value = await reading.catch((error: unknown) => {
    if (error instanceof CarillonError && error.status === 404) return undefined
    throw error
  })
  if (value === undefined) throw new ResourceNotFoundError(uri.href)
  return value
}

function keyIn({ key }: Variables): string {
  return typeof key === 'string' ? key : ''
}

function showJson({ href }: URL, value: unknown): ReadResourceResult {
  return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(value) }] }
}
