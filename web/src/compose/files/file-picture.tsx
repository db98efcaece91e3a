import { FileText, Film, Image } from 'lucide-react'
import { useState } from 'react'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { PostFile } from '../state/compose-state.ts'
import { pictureAddress } from './local-files.ts'

const icons = { image: <Image aria-hidden />, video: <Film aria-hidden />, document: <FileText aria-hidden /> }

type FilePictureProps = {
  file: PostFile
  className: string
  /** Without a picture, it also says its name: nothing beside it does. */
  isNamed?: boolean
}

/** A small picture of a file, or a drawing of its kind. */
export function FilePicture({ file, className, isNamed = false }: FilePictureProps) {
  const { id: workspaceId } = useWorkspace()
  const [brokenAddress, setBrokenAddress] = useState<string | null>(null)
  const address = pictureAddress(workspaceId, file)
  const isShown = address !== null && address !== brokenAddress
  return (
    <span
      className={`flex flex-col items-center justify-center gap-2 overflow-hidden ${isNamed ? namedLook : 'bg-sunken text-faint'} ${className}`}
    >
      {isShown ? (
        <img
          src={address}
          alt={file.alt}
          // Browsers would drag the picture instead of the row of the file.
          draggable={false}
          className="size-full object-cover"
          onError={() => setBrokenAddress(address)}
        />
      ) : (
        <>
          {icons[file.kind]}
          {isNamed && <span className="line-clamp-2 max-w-full px-3 text-center text-sm break-all">{file.name}</span>}
        </>
      )}
    </span>
  )
}

const namedLook = 'bg-bell-wash text-bell'
