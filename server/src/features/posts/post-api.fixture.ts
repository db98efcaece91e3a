import { Readable } from 'node:stream'
import type { Post } from '@carillon/contract'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import type { Routes } from '../../infra/http/create-app.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { makePng } from '../media/files.fixture.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { insertStoredFile, storeStream } from '../media/upload/store-file.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { postRoutes } from './post.routes.ts'
import type { ChannelRow, ChannelUpdate, PostUpdate } from './post.store.ts'

type Reply<T> = { status: number; data: T; error?: { code: string; message: string } }

type Options = {
  routes?: readonly Routes[]
  root?: readonly Routes[]
  env?: Record<string, string>
  /** Replaces parts of the context, for example the clock. */
  replace?: Partial<Context>
}

/** What the accounts of the tests have in common. */
export const testAccount = {
  platform: 'mastodon' as const,
  instanceUrl: 'https://social.example',
  credentials: { accessToken: 't' },
}

/** A workspace with two Mastodon accounts, `first` and `second`, and the API of posts and media on a real database. */
export class PostApi {
  static async start(mediaDir: string, { routes = [], root = [], env = {}, replace = {} }: Options = {}): Promise<PostApi> {
    const database = await startDatabase()
    const server = openServer({
      database,
      env: { CARILLON_MEDIA_DIR: mediaDir, ...env },
      replace,
      api: [postRoutes, mediaRoutes, ...routes],
      root,
    })
    const api = new PostApi(database, server)
    await api.openWorkspace()
    return api
  }

  readonly database: TestDatabase
  readonly server: TestServer
  workspaceId = ''
  apiKey = ''
  personId = ''
  first = ''
  second = ''

  private constructor(database: TestDatabase, server: TestServer) {
    this.database = database
    this.server = server
  }

  get ctx() {
    return this.server.ctx
  }

  /** Everything after this happens in a new workspace. */
  async openWorkspace(): Promise<void> {
    const made = await setUpWorkspace(this.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
    this.workspaceId = made.workspaceId
    this.apiKey = made.apiKey
    this.personId = made.personId
    const [first, second] = await addConnections(this.ctx, made.workspaceId, [
      { ...testAccount, handle: 'first', accountId: '1' },
      { ...testAccount, handle: 'second', accountId: '2' },
    ])
    this.first = first?.slug ?? ''
    this.second = second?.slug ?? ''
  }

  async send<T = Post>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object): Promise<Reply<T>> {
    const response = await this.server.app.inject({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${this.apiKey}`, 'x-workspace-id': this.workspaceId },
      ...(body && { payload: body }),
    })
    return { status: response.statusCode, ...response.json<Omit<Reply<T>, 'status'>>() }
  }

  /** Creates a text post, or a photo post if `body` names files. Returns its id. */
  async create(body: object = {}): Promise<string> {
    const path = 'medias' in body ? '/content/photos' : '/content/text'
    const fields = { connections: [this.first], text: 'The bells ring at nine.', ...body }
    const reply = await this.send<{ uploadId?: string; draftId?: string }>('POST', path, fields)
    const id = reply.data?.uploadId ?? reply.data?.draftId
    if (!id) throw new Error(`the post was refused: ${JSON.stringify(reply.error)}`)
    return id
  }

  get(id: string): Promise<Post> {
    return this.send('GET', `/content/${id}`).then(({ data }) => data)
  }

  async uploadPhoto(): Promise<string> {
    const { workspaceId } = this
    const file = await storeStream(this.ctx, { workspaceId, name: 'bell.png', source: Readable.from([await makePng()]) })
    await this.ctx.db.tenant(workspaceId, (tx) => insertStoredFile(this.ctx, tx, file))
    return file.row.id
  }

  channels(postId: string): Promise<ChannelRow[]> {
    return this.ctx.db.system
      .selectFrom('channel')
      .where('workspace_id', '=', this.workspaceId)
      .where('post_id', '=', postId)
      .selectAll()
      .orderBy('position')
      .execute()
  }

  /** Changes the channel of a post on one connection, as the publishing engine would have left it. */
  async setChannel(postId: string, change: ChannelUpdate, slug = this.first): Promise<void> {
    await this.ctx.db.system
      .updateTable('channel')
      .where('workspace_id', '=', this.workspaceId)
      .where('post_id', '=', postId)
      .where('connection_slug', '=', slug)
      .set(change)
      .execute()
  }

  async setPost(id: string, change: PostUpdate): Promise<void> {
    await this.ctx.db.system
      .updateTable('post')
      .where('workspace_id', '=', this.workspaceId)
      .where('id', '=', id)
      .set(change)
      .execute()
  }

  async stop(): Promise<void> {
    await this.server.close()
    await this.database.stop()
  }
}
