import type { Account } from '../../state/entities.ts'

export type AssetKind = 'image' | 'video' | 'document'
export type AssetState = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED'

export type Asset = {
  urn: string
  kind: AssetKind
  account: Account
  sizeBytes: number | undefined
  uploadToken: string
  urlExpiresAtMs: number
  parts: Map<number, Buffer>
  bytes: Buffer | undefined
  mime: string | undefined
  readyAtMs: number
  /** Whether processing ends in a failure, at `readyAtMs`. */
  isFailing: boolean
}

const bytesMax: Record<AssetKind, number> = { image: Infinity, video: 500_000_000, document: 100_000_000 }
const bytesMin: Record<AssetKind, number> = { image: 1, video: 75_000, document: 1 }

/** The content type of an upload is unreliable, so LinkedIn detects the type from the first bytes. */
const signatures: Record<AssetKind, readonly { mime: string; at: number; hex: string }[]> = {
  image: [
    { mime: 'image/jpeg', at: 0, hex: 'ffd8ff' },
    { mime: 'image/png', at: 0, hex: '89504e47' },
    { mime: 'image/gif', at: 0, hex: '47494638' },
  ],
  video: [{ mime: 'video/mp4', at: 4, hex: '66747970' }],
  document: [
    { mime: 'application/pdf', at: 0, hex: '25504446' },
    { mime: 'application/msword', at: 0, hex: 'd0cf11e0' },
    { mime: 'application/vnd.openxmlformats-officedocument', at: 0, hex: '504b0304' },
  ],
}

/** Stores the complete file. A file of the wrong kind is accepted too, and fails when it is processed. */
export function fillAsset(asset: Asset, bytes: Buffer, readyAtMs: number): void {
  const fits = bytes.length >= bytesMin[asset.kind] && bytes.length <= bytesMax[asset.kind]
  asset.bytes = bytes
  asset.mime = fits ? sniff(asset.kind, bytes) : undefined
  asset.readyAtMs = readyAtMs
}

function sniff(kind: AssetKind, bytes: Buffer): string | undefined {
  return signatures[kind].find(({ at, hex }) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex)?.mime
}

export function stateOfAsset({ bytes, mime, readyAtMs, isFailing }: Asset, nowMs: number): AssetState {
  if (!bytes) return 'WAITING_UPLOAD'
  if (mime === undefined) return 'PROCESSING_FAILED'
  if (readyAtMs > nowMs) return 'PROCESSING'
  return isFailing ? 'PROCESSING_FAILED' : 'AVAILABLE'
}
