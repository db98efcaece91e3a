export const iconButtonLook = [
  'inline-flex size-10 items-center justify-center rounded-control text-quiet transition-colors hover:bg-hover hover:text-ink',
  'pointer-coarse:size-11 disabled:opacity-55 [&_svg]:size-[18px]',
].join(' ')
