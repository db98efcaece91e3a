import type { Fields } from '../../http/fields.ts'
import { isFields } from '../../http/fields.ts'
import type { Account } from '../../state/accounts.ts'
import type { Post } from '../../state/posts.ts'
import type { Realm } from '../../state/platform-context.ts'
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
export type Write = { account: Account; collection: string; rkey: string; record: Fields; arrivedAtMs: number }

/** Every account's records. A record in the posts collection is also a post of the world. */
export function createRepo(realm: Realm) {
  const entries = realm.shelf<Entry>()
  const replies = realm.shelf<number>()

  const uriOf = (account: Account, collection: string, rkey: string) => `at://${account.id}/${collection}/${rkey}`

  const openPost = (entry: Entry, arrivedAtMs: number): Post => {
    const { account, value, rkey, uri } = entry
    const reply = value['reply']
    const replyTo = isFields(reply) && isStrongRef(reply['parent']) ? reply['parent'].uri : null
    const url = `${realm.origin}/profile/${account.id}/post/${rkey}`
    const text = String(value['text'])
    const media = readEmbed(realm, account, value)
    const post: Post = { platform: realm.name, id: uri, account, text, url, replyTo, atMs: realm.now(), deleted: false, media }
    if (replyTo !== null) replies.set(replyTo, (replies.get(replyTo) ?? 0) + 1)
    realm.commit(post, arrivedAtMs)
    return post
  }

  return {
    find: (uri: string) => entries.get(uri),
    findIn: (account: Account, collection: string, rkey: string) => entries.get(uriOf(account, collection, rkey)),
    repliesTo: (uri: string) => replies.get(uri) ?? 0,

    /** Creates or replaces; an edit changes the post that is there and adds none. */
    write({ account, collection, rkey, record, arrivedAtMs }: Write, cid: string): Entry {
      const uri = uriOf(account, collection, rkey)
      const before = entries.get(uri)
      const entry: Entry = { uri, cid, collection, rkey, account, value: record, post: before?.post }
      if (collection === postCollection) {
        const { post } = entry
        if (post) {
          const media = readEmbed(realm, account, record)
          Object.assign(post, { text: String(record['text']), media })
        } else entry.post = openPost(entry, arrivedAtMs)
      }
      entries.set(uri, entry)
      return entry
    },

    remove(entry: Entry): void {
      entries.delete(entry.uri)
      if (entry.post) entry.post.deleted = true
    },

    /** Newest first unless reversed; record keys are time-ordered. */
    list(account: Account, collection: string): Entry[] {
      if (collection !== postCollection)
        return [...entries.values()].filter((entry) => entry.account === account && entry.collection === collection)
      const found = account.posts.flatMap(({ id }) => entries.get(id) ?? [])
      return found.toSorted((one, other) => (one.rkey < other.rkey ? 1 : -1))
    },
  }
}

export type Repo = ReturnType<typeof createRepo>
