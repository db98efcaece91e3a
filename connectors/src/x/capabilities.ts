import { Type } from 'typebox'
import type { Capabilities, Client } from '../kit/connector.ts'

const Kind = Type.Object({
  data: Type.Object({ verified_type: Type.Optional(Type.String()), subscription_type: Type.Optional(Type.String()) }),
})

/** Of verified accounts and those that pay for it: longer posts, and videos of up to 125 minutes. */
const longTextMax = 25_000
const longVideo = { secondsMax: 7500, bytesMax: 16_000_000_000 }

const verifiedTypes = ['blue', 'business', 'government']
const payingTypes = ['Premium', 'PremiumPlus']

export const capabilities = {
  // Every question costs the operator money.
  currentMs: 7 * 86_400_000,
  async read({ http }: Client): Promise<Capabilities> {
    const query = { 'user.fields': 'verified,verified_type,subscription_type' }
    const { data } = await http.call({ method: 'GET', path: '/2/users/me', query, returns: Kind })
    const isLong = verifiedTypes.includes(data.verified_type ?? '') || payingTypes.includes(data.subscription_type ?? '')
    return { rules: isLong ? { text: { max: longTextMax }, video: longVideo } : {} }
  },
}
