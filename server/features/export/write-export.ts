// Writes the whole catalogue to an export target: rows first, then recordings and pictures, in constant memory.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Database } from '../../platform/db/database.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import {
  catalogueFormat,
  catalogueJsonSchema,
  catalogueVersion,
  indexPath,
  type CatalogueIndex,
} from '../catalogue/catalogue-format.ts'
import type { ExportTarget } from './export-target.ts'
import { spoolCatalogue, type Spooled, type SpooledObject } from './spool-catalogue.ts'

export interface ExportSource {
  db: Database
  storage: Storage
  /** The service's name. */
  service: string
  now: () => Date
}

export interface ExportResult {
  counts: CatalogueIndex['counts']
  fileCount: number
  /**
   * Keys of objects that the database refers to but the storage does not contain. The export contains a list of them.
   */
  missing: string[]
}

export async function writeExport(
  source: ExportSource,
  target: ExportTarget,
  stopSignal?: AbortSignal,
): Promise<ExportResult> {
  return source.storage.withScratchFolder(async (folder) => {
    const spooled = await spoolCatalogue(source.db, folder)
    await target.addText('READ ME.txt', readMe(source.service))
    await target.addText(indexPath, describe(source, spooled))
    const schema = `${JSON.stringify(catalogueJsonSchema(), null, 2)}\n`
    await target.addText('catalogue/schema.json', schema)
    for (const { path, localPath } of spooled.files) await target.addFile(path, localPath)
    const objects = await addObjects(source.storage, target, spooled.objectList, stopSignal)
    if (objects.missing.length > 0) {
      const lines = objects.missing.map((path) => `${path}\n`).join('')
      await target.addText('MISSING FILES.txt', `Not in the storage of the service:\n${lines}`)
    }
    await target.finish()
    return { counts: spooled.counts, ...objects }
  })
}

function describe({ service, now }: ExportSource, { counts }: Spooled): string {
  const index: CatalogueIndex = {
    format: catalogueFormat,
    version: catalogueVersion,
    exported_at: now().toISOString(),
    service,
    counts,
  }
  return `${JSON.stringify(index, null, 2)}\n`
}

async function addObjects(
  storage: Storage,
  target: ExportTarget,
  objectList: string,
  stopSignal: AbortSignal | undefined,
): Promise<Pick<ExportResult, 'fileCount' | 'missing'>> {
  const result = { fileCount: 0, missing: [] as string[] }
  for await (const line of createInterface({ input: createReadStream(objectList) })) {
    stopSignal?.throwIfAborted()
    const { path, key } = JSON.parse(line) as SpooledObject
    const object = await storage.open(key).catch((error: unknown) => {
      if (isStorageError(error, 'not_found')) return null
      throw error
    })
    if (!object) {
      result.missing.push(path)
      continue
    }
    try {
      await target.addObject(path, object)
      result.fileCount += 1
    } finally {
      await object.close()
    }
  }
  return result
}

function readMe(service: string): string {
  return [
    `The catalogue of ${service}`,
    '',
    'music/        the recordings as they were uploaded',
    'pictures/     covers and artist pictures',
    'evidence/     evidence of how songs were made',
    'playlists/    playlists for players (M3U)',
    'releases/     releases for players (M3U)',
    'tables/       lists for spreadsheets (CSV, UTF-8)',
    'catalogue/    all data, one JSON object per line, described by schema.json',
    '',
    'To import this file into a Velour service, open Library, Import.',
    'It contains private notes and files about how the songs were made. To share music, export single releases instead.',
    'Members, their playlists and payments are not included.',
    '',
  ].join('\n')
}
