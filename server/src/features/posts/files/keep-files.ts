import type { Context } from '../../../context.ts'
import type { Answer, RequestScope } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { discardKept, insertKept, type Kept } from '../../media/upload/store-file.ts'

type Taken<R> = { fingerprint?: Buffer | null; store(scope: RequestScope): Promise<R | Answer<R>> }

/** Files that come with a request are stored together with what names them, or discarded when it comes to nothing. */
export async function keepFiles<R>(ctx: Context, take: (kept: Kept[]) => Promise<Taken<R>>): Promise<Prepared<R>> {
  const kept: Kept[] = []
  const discard = async () => {
    await Promise.all(kept.map((file) => discardKept(ctx, file)))
  }
  try {
    const { fingerprint = null, store } = await take(kept)
    return {
      fingerprint,
      async store(scope) {
        for (const file of kept) await insertKept(scope.tx, file)
        return store(scope)
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}
