import { FileText, Film, Image } from 'lucide-react'
import { useState } from 'react'
import { useCompose } from '../compose-context.ts'
import type { PostFile } from '../state/compose-state.ts'
import { pictureAddress } from './local-files.ts'

const icons = { image: <Image aria-hidden />, video: <Film aria-hidden />, document: <FileText aria-hidden /> }

/** A small picture of a file, or a drawing of its kind. What it shows is said beside it. */
export function FilePicture({ file, className }: { file: PostFile; className: string }) {
  const { workspaceId } = useCompose()
  const [brokenAddress, setBrokenAddress] = useState<string | null>(null)
  const address = pictureAddress(workspaceId, file)
  const isShown = address !== null && address !== brokenAddress
  return (
    <span className={`flex items-center justify-center overflow-hidden bg-sunken text-faint ${className}`}>
      {isShown ? (
        <img src={address} alt={file.alt} className="size-full object-cover" onError={() => setBrokenAddress(address)} />
      ) : (
        icons[file.kind]
      )}
    </span>
  )
}
