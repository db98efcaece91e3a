import { CarillonError, type Post, type PostChange } from '@carillon/sdk'
import { isSignedOut } from '../../errors/describe-error.ts'
import { hasContent, type ComposeState } from '../state/compose-state.ts'
import { canSchedule } from '../state/findings.ts'
import { isSameContent, toPostChange } from '../state/post-change.ts'
import { dropLocalCopy, hasUnsaved, storeLocalCopy, type LocalCopy } from './local-copy.ts'

/** The requests of the saver. They throw a CarillonError. */
export type DraftCalls = {
  /** Creates an empty draft. A repeated call with the same key gives the same draft. */
  create(key: string): Promise<string>
  update(id: string, change: PostChange, options: { ifUpdatedAt: string | null; isAutosave: boolean }): Promise<Post>
  /** With a queue, the draft gets the next free slot of it. */
  publish(id: string, options: { ifUpdatedAt: string | null; key: string; queueId?: string }): Promise<Post>
}

export type SaveStatus = 'clean' | 'unsaved' | 'waiting' | 'saving' | 'saved' | 'offline' | 'signedOut' | 'refused' | 'conflict'

export type SaveView = {
  status: SaveStatus
  error: unknown
  /** With `conflict`: what somebody else saved in the meantime. */
  theirs: Post | null
  /** The last answer of the server. */
  post: Post | null
  postId: string | null
}

type SaverOptions = { onCreated(postId: string): void; nowMs(): number; newKey(): string; delayMs?: number; retryMs?: number }

/**
 * Saves a draft one second after the last change, and keeps a copy in this browser at every change. A scheduled post is saved only when the
 * person says so: what is half written must not be published.
 */
export class DraftSaver {
  #copy: LocalCopy
  #view: SaveView
  #timer: ReturnType<typeof setTimeout> | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #isOver = false
  readonly #calls: DraftCalls
  readonly #options: SaverOptions
  readonly #listeners = new Set<() => void>()

  constructor(copy: LocalCopy, calls: DraftCalls, options: SaverOptions) {
    this.#copy = copy
    this.#calls = calls
    this.#options = options
    const status = !hasUnsaved(copy) ? 'clean' : copy.isScheduled ? 'unsaved' : 'waiting'
    this.#view = { status, error: null, theirs: null, post: null, postId: copy.postId }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): SaveView => this.#view

  /** Call it with every new state. */
  change(state: ComposeState): void {
    if (this.#isOver || state === this.#copy.state) return
    const isNew = state.revision !== this.#copy.state.revision
    this.#store({ state, writtenAt: new Date(this.#options.nowMs()).toISOString() })
    // An empty page is not worth a draft on the server.
    if (!isNew || (this.#copy.postId === null && !hasContent(state))) return
    if (this.#view.status === 'conflict') return
    this.#saveLater(this.#options.delayMs ?? 1000)
  }

  /** Saves now. Throws if the server does not accept it. */
  flush({ isAutosave = false }: { isAutosave?: boolean } = {}): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#copy.isScheduled) return Promise.resolve()
    const run = this.#queue.then(() => this.#save(isAutosave))
    this.#queue = run.catch(() => {})
    return run
  }

  /** Tries again what failed because of the network or the session. */
  retry(): void {
    if (this.#isOver || !['offline', 'signedOut', 'waiting'].includes(this.#view.status)) return
    this.#saveIn(0)
  }

  /** Publishes the draft, or schedules it if it has a time. One key per attempt: repeating it after a lost answer does not post twice. */
  async publish(queueId: string | null = null): Promise<Post> {
    if (this.#copy.isScheduled) return this.#changeScheduled()
    await this.flush()
    const { postId, updatedAt } = this.#copy
    if (postId === null) throw new Error('an empty draft cannot be published')
    const key = this.#copy.publishKey ?? this.#options.newKey()
    this.#store({ publishKey: key })
    try {
      const post = await this.#calls.publish(postId, { ifUpdatedAt: updatedAt, key, ...(queueId !== null && { queueId }) })
      this.end()
      return post
    } catch (error) {
      // An answered attempt is over; one without an answer may have worked, and is repeated with its key.
      if (error instanceof CarillonError && error.status > 0 && error.status < 500) this.#store({ publishKey: null })
      if (error instanceof CarillonError && error.code === 'draft_changed') this.#fail(error)
      throw error
    }
  }

  /** After a conflict: overwrites what somebody else saved. */
  keepMine(): void {
    this.#store({ updatedAt: this.#view.theirs?.updatedAt ?? null })
    this.#show({ theirs: null, error: null })
    this.#saveLater(0)
  }

  /** After a conflict: continues with what somebody else saved. */
  takeTheirs(post: Post, state: ComposeState): void {
    this.#store({ state, updatedAt: post.updatedAt, savedRevision: state.revision })
    this.#show({ status: 'saved', theirs: null, error: null, post })
  }

  /** Stops saving. `end` also forgets the copy of this browser. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.stop()
    this.#isOver = true
    dropLocalCopy(this.#copy.id)
  }

  async #changeScheduled(): Promise<Post> {
    const { state, postId, updatedAt } = this.#copy
    if (postId === null) throw new Error('a scheduled post has an id')
    const { scheduledAt, ...change } = toPostChange(state, { canSchedule: canSchedule(state, this.#options.nowMs()) })
    const kept = { ...change, ...(scheduledAt !== null && { scheduledAt }), keepSchedule: true }
    try {
      const post = await this.#calls.update(postId, kept, { ifUpdatedAt: updatedAt, isAutosave: false })
      this.end()
      return post
    } catch (error) {
      if (error instanceof CarillonError && error.code === 'draft_changed') this.#fail(error)
      throw error
    }
  }

  #saveLater(waitMs: number): void {
    this.#show({ status: this.#copy.isScheduled ? 'unsaved' : 'waiting' })
    if (!this.#copy.isScheduled) this.#saveIn(waitMs)
  }

  #saveIn(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.flush({ isAutosave: true }).catch(() => {
        // `#fail` has shown it.
      })
    }, waitMs)
  }

  async #save(isAutosave: boolean): Promise<void> {
    if (this.#isOver || !hasUnsaved(this.#copy)) return
    this.#show({ status: 'saving' })
    try {
      const { state } = this.#copy
      const id = this.#copy.postId ?? (await this.#create())
      const change = toPostChange(state, { canSchedule: canSchedule(state, this.#options.nowMs()) })
      const post = await this.#update(id, change, isAutosave)
      this.#store({ updatedAt: post.updatedAt, savedRevision: state.revision, sent: null })
      this.#show({ status: hasUnsaved(this.#copy) ? 'waiting' : 'saved', error: null, theirs: null, post })
    } catch (error) {
      this.#fail(error)
      throw error
    }
    // Somebody typed while it was saved, and wants everything to be saved now.
    if (!isAutosave && hasUnsaved(this.#copy)) await this.#save(isAutosave)
  }

  /** A conflict with what this browser sent itself is none: only the answer to it was lost. */
  async #update(id: string, change: PostChange, isAutosave: boolean): Promise<Post> {
    const before = this.#copy.sent
    this.#store({ sent: change })
    try {
      return await this.#calls.update(id, change, { ifUpdatedAt: this.#copy.updatedAt, isAutosave })
    } catch (error) {
      const theirs = error instanceof CarillonError && error.code === 'draft_changed' ? error.current : null
      if (!theirs || ![before, change].some((sent) => sent !== null && isSameContent(theirs, sent))) throw error
      this.#store({ updatedAt: theirs.updatedAt })
      return this.#calls.update(id, change, { ifUpdatedAt: theirs.updatedAt, isAutosave })
    }
  }

  async #create(): Promise<string> {
    const postId = await this.#calls.create(this.#copy.createKey)
    this.#store({ postId })
    this.#show({ postId })
    this.#options.onCreated(postId)
    return postId
  }

  #fail(error: unknown): void {
    const status = statusOf(error)
    const theirs = error instanceof CarillonError && status === 'conflict' ? error.current : null
    this.#show({ status, error, theirs })
    if (status === 'offline') this.#saveIn(this.#options.retryMs ?? 5000)
  }

  #store(change: Partial<LocalCopy>): void {
    this.#copy = { ...this.#copy, ...change }
    if (this.#copy.postId !== null || hasContent(this.#copy.state)) storeLocalCopy(this.#copy)
    else dropLocalCopy(this.#copy.id)
  }

  #show(change: Partial<SaveView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function statusOf(error: unknown): SaveStatus {
  if (isSignedOut(error)) return 'signedOut'
  if (!(error instanceof CarillonError)) return 'offline'
  if (error.code === 'draft_changed') return 'conflict'
  return error.status === 0 || error.status >= 500 || error.status === 429 ? 'offline' : 'refused'
}
