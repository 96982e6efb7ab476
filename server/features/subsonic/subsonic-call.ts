// The input of the function that handles a Subsonic call.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { CallOperation } from '../../platform/http/route.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import type { BrowseLists } from '../browse/browse-lists.ts'
import type { HiddenCovers } from '../pictures/hidden-covers.ts'
import type { JpegPictures } from '../pictures/jpeg-pictures.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import type { PlayingServices } from '../playing/playing-operations.ts'
import type { PlayServices } from '../plays/play-operations.ts'
import type { TrackStreams } from '../streaming/stream-routes.ts'
import type { Tree } from './response.ts'
import type { Parameters } from './parameters.ts'

export type SubsonicServices = PlayingServices &
  PlayServices & {
    config: Pick<Config, 'publicUrl' | 'brandName'>
    branding: ReadBranding
    streams: TrackStreams
    files: FileServer
    hiddenCovers: HiddenCovers
    jpegs: JpegPictures
    pictures: PictureServices
    browse: Pick<BrowseLists, 'evictLikes'>
    /** Runs an operation of Velour's own API, including all its checks. */
    callOperation: CallOperation
  }

export interface SubsonicCall {
  ctx: MemberContext
  parameters: Parameters
  services: SubsonicServices
  request: FastifyRequest
  reply: FastifyReply
}

/** Handles a call. Returns the fields of the response, or an empty object. */
export type CallHandler = (call: SubsonicCall) => Promise<Tree> | Tree
/** Handles a call and sends the response itself, for example a file. */
export type ResponseSender = (call: SubsonicCall) => Promise<unknown>
