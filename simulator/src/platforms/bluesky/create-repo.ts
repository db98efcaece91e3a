import type { Fields } from '../../http/fields.ts'
import { isFields } from '../../http/fields.ts'
import type { Account, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitSource } from '../../state/submits.ts'
import { isStrongRef, postCollection } from './check-record.ts'
import { readEmbed } from './read-embed.ts'

export type Entry = {
  uri: string
  cid: string
  collection: string
  rkey: string
  account: Account
  value: Fields
  post: Post | undefined
}
export type Write = { account: Account; collection: string; rkey: string; record: Fields; call: SubmitSource }

/** The records of every account. A record in the posts collection is also stored as a post of the simulator. */
export function createRepo(context: PlatformContext) {
  const entries = context.createTable<Entry>('entries')
  const replies = context.createTable<number>('replies')

  const uriOf = (account: Account, collection: string, rkey: string) => `at://${account.id}/${collection}/${rkey}`

  const openPost = (entry: Entry, call: SubmitSource): Post => {
    const { account, value, rkey, uri } = entry
    const reply = value['reply']
    const replyTo = isFields(reply) && isStrongRef(reply['parent']) ? reply['parent'].uri : null
    const url = `${context.origin}/profile/${account.id}/post/${rkey}`
    const text = String(value['text'])
    const media = readEmbed(context, account, value)
    const post: Post = {
      platform: context.name,
      id: uri,
      account,
      text,
      url,
      replyTo,
      atMs: context.now(),
      deleted: false,
      media,
      request: value,
    }
    if (replyTo !== null) replies.set(replyTo, (replies.get(replyTo) ?? 0) + 1)
    context.commit(post, call)
    return post
  }

  return {
    find: (uri: string) => entries.get(uri),
    findIn: (account: Account, collection: string, rkey: string) => entries.get(uriOf(account, collection, rkey)),
    isVisible: ({ post }: Entry) => !post || context.isVisible(post),
    repliesTo: (uri: string) => replies.get(uri) ?? 0,

    /** Creates or replaces a record. Replacing changes the existing post and adds none. */
    write({ account, collection, rkey, record, call }: Write, cid: string): Entry {
      const uri = uriOf(account, collection, rkey)
      const before = entries.get(uri)
      const entry: Entry = { uri, cid, collection, rkey, account, value: record, post: before?.post }
      if (collection === postCollection) {
        const { post } = entry
        if (post) {
          const media = readEmbed(context, account, record)
          markRepeated(call)
          Object.assign(post, { text: String(record['text']), media, request: record })
        } else entry.post = openPost(entry, call)
      }
      entries.set(uri, entry)
      return entry
    },

    remove(entry: Entry): void {
      entries.delete(entry.uri)
      if (entry.post) entry.post.deleted = true
    },

    /** Newest first, because record keys are ordered by time. */
    list(account: Account, collection: string): Entry[] {
      if (collection !== postCollection)
        return [...entries.values()].filter((entry) => entry.account === account && entry.collection === collection)
      const found = account.posts.flatMap(({ id }) => entries.get(id) ?? [])
      return found.toSorted((one, other) => (one.rkey < other.rkey ? 1 : -1))
    },
  }
}

export type Repo = ReturnType<typeof createRepo>
