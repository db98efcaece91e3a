import { Avatar } from '../ui/avatar.tsx'
import { PlatformMark } from './platform-mark.tsx'

/** The picture of an account with the logo of its platform. Both must be named in the text beside it. */
export function MarkedAvatar({ name, src, platform }: { name: string; src: string | null; platform: string }) {
  return (
    <span className="relative inline-flex shrink-0">
      <Avatar name={name} src={src} size="lg" />
      <span className="absolute -right-1.5 -bottom-1 flex size-6 items-center justify-center rounded-full border border-line bg-surface">
        <PlatformMark platform={platform} className="size-3.5" />
      </span>
    </span>
  )
}
