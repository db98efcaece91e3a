import type { Account } from '../../state/entities.ts'

/** A receiver as it behaves; what it declares about itself follows from that. */
export type ReceiverKind = {
  /** Whether a repeated key is answered with the first post. */
  keys: boolean
  textMax: number
  takesFiles: boolean
  takesReplies: boolean
  /** Whether it removes posts and tells figures. */
  isComplete: boolean
  /** Answers 202 to every post, and says later what became of it. */
  isSlow: boolean
  /** Publishes, and answers with a sentence of its own: what a workflow tool does until its answer is set up. */
  isMute: boolean
}

const usual: ReceiverKind = {
  keys: true,
  textMax: 25_000,
  takesFiles: true,
  takesReplies: true,
  isComplete: true,
  isSlow: false,
  isMute: false,
}

/** By the beginning of the handle. */
const kinds: Readonly<Record<string, ReceiverKind>> = {
  'keyless-': { ...usual, keys: false },
  'plain-': { ...usual, textMax: 300, takesFiles: false, takesReplies: false, isComplete: false },
  'slow-': { ...usual, isSlow: true },
  'mute-': { ...usual, keys: false, isMute: true },
}

export function kindOf({ handle }: Account): ReceiverKind {
  return Object.entries(kinds).find(([start]) => handle.startsWith(start))?.[1] ?? usual
}

/** What a GET of the address answers. */
export function declare(account: Account, avatarUrl: string) {
  const { keys, textMax, takesFiles, takesReplies } = kindOf(account)
  return {
    carillon: 1,
    id: account.id,
    handle: account.handle,
    name: `The receiver of ${account.handle}`,
    avatarUrl,
    keys,
    text: { max: textMax },
    ...(!takesFiles && { formats: ['text'] }),
    ...(takesReplies && { replies: true }),
  }
}
