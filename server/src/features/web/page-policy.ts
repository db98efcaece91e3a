import type { Config } from '../../config.ts'

/**
 * What the page of the app may load. There is no inline script or style in it, and Trusted Types keep scripts from being made out of text.
 * Media come from the file host or the S3 store where those have addresses of their own.
 */
export function pagePolicy({ publicUrl, media, operator }: Pick<Config, 'publicUrl' | 'media' | 'operator'>): string {
  const own = new URL(publicUrl).origin
  const files = [media.filesUrl, media.s3?.publicEndpoint ?? media.s3?.endpoint]
    .flatMap((url) => (url ? [originsOf(url, media.s3)] : []))
    .flat()
    .filter((origin) => origin !== own)
  const sources = (...fixed: string[]) => [...new Set([...fixed, ...files])].join(' ')
  const logo = operator.logoUrl === null ? [] : [new URL(operator.logoUrl).origin]
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': sources("'self'", 'data:', 'blob:', ...logo.filter((origin) => origin !== own)),
    'media-src': sources("'self'", 'blob:'),
    'connect-src': sources("'self'"),
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
  }
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')
}

/** A store whose addresses are `bucket.host/key` is another origin than its endpoint. */
function originsOf(url: string, s3: Config['media']['s3']): string[] {
  const { origin, protocol, host } = new URL(url)
  return s3 && !s3.pathStyle ? [origin, `${protocol}//${s3.bucket}.${host}`] : [origin]
}
