import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing to set up. An administrator of a site makes a custom integration there, and connects with its Admin API key.',
    de: 'Nichts einzurichten. Wer eine Website verwaltet, legt dort eine eigene Integration an und verbindet mit deren Admin-API-Schlüssel.',
  },
  facts: {
    who: {
      en: 'Owners and administrators of a site with Ghost 5 or newer, on a server of their own or on Ghost(Pro)',
      de: 'Inhaber und Administratoren einer Website mit Ghost ab Version 5, auf eigenem Server oder bei Ghost(Pro)',
    },
    money: {
      en: 'None on a server of one’s own; Ghost(Pro) needs a plan with custom integrations',
      de: 'Keine auf eigenem Server; Ghost(Pro) braucht einen Tarif mit eigenen Integrationen',
    },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'Somebody deletes the integration or makes a new key for it.',
      de: 'Jemand löscht die Integration oder erzeugt für sie einen neuen Schlüssel.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make a custom integration', de: 'Eigene Integration anlegen' },
      text: [
        {
          en: 'Open `/ghost/#/settings/integrations` of the site. Under *Custom*, choose *Add custom integration* and enter a name such as Carillon.',
          de: 'Öffne `/ghost/#/settings/integrations` der Website. Wähle unter *Custom* den Punkt *Add custom integration* und gib einen Namen wie Carillon ein.',
        },
        {
          en: 'Copy the *Admin API key*, which has a colon in it, and not the *Content API key*.',
          de: 'Kopiere den *Admin API key*, in dem ein Doppelpunkt steht, und nicht den *Content API key*.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the key, and as the server the address at which you open Ghost Admin, without `/ghost`: such as `blog.example` or `https://example.com/blog`. The integration shows it as *API URL*.',
          de: 'Gib den Schlüssel ein, und als Server die Adresse, unter der du Ghost Admin öffnest, ohne `/ghost`: etwa `blog.example` oder `https://example.com/blog`. Die Integration zeigt sie als *API URL*.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'No Ghost answers at this address', de: 'Unter der Adresse antwortet kein Ghost' },
      cure: {
        en: 'Open the address with `/ghost/api/admin/site/` at its end. It must show JSON, and the address must stay the same.',
        de: 'Öffne die Adresse mit `/ghost/api/admin/site/` am Ende. Sie muss JSON zeigen und dabei gleich bleiben.',
      },
    },
    {
      sign: { en: 'The key is refused', de: 'Der Schlüssel wird abgelehnt' },
      cure: {
        en: 'Copy it again. If it is the right one, compare the clocks of both servers: a signature holds for five minutes.',
        de: 'Kopiere ihn noch einmal. Ist es der richtige, vergleiche die Uhren beider Server: Eine Signatur gilt fünf Minuten.',
      },
    },
    {
      sign: { en: 'A permission is missing', de: 'Eine Berechtigung fehlt' },
      cure: {
        en: 'The plan of Ghost(Pro) has no custom integrations, or a firewall in front of the site refuses requests of programs.',
        de: 'Der Tarif bei Ghost(Pro) hat keine eigenen Integrationen, oder eine Firewall vor der Website lehnt Anfragen von Programmen ab.',
      },
    },
    {
      sign: { en: 'A file is refused', de: 'Eine Datei wird abgelehnt' },
      cure: {
        en: 'The server in front of Ghost limits uploads, in nginx with `client_max_body_size`; Ghost(Pro) limits them by plan.',
        de: 'Der Server vor Ghost begrenzt Uploads, bei nginx mit `client_max_body_size`; Ghost(Pro) begrenzt sie je Tarif.',
      },
    },
    {
      sign: { en: 'The address is refused', de: 'Die Adresse wird abgelehnt' },
      cure: {
        en: 'Private addresses are called only if the operator allows their network with `CARILLON_EGRESS_ALLOW`.',
        de: 'Private Adressen werden nur gerufen, wenn der Betreiber ihr Netz mit `CARILLON_EGRESS_ALLOW` erlaubt.',
      },
    },
  ],
  sources: [
    { url: 'https://docs.ghost.org/admin-api/', on: '2026-11-17' },
    { url: 'https://ghost.org/integrations/custom-integrations/', on: '2026-11-17' },
  ],
}
