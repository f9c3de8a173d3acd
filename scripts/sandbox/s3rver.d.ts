declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  interface S3rverOptions {
    directory: string;
    silent: boolean;
    vhostBuckets: boolean;
    configureBuckets: { name: string; configs: string[] }[];
  }
  export default class S3rver {
    constructor(options: S3rverOptions);
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}

declare module "@20minutes/s3rver/lib/models/account" {
  const account: {
    DUMMY_ACCOUNT: { createKeyPair(accessKeyId: string, secretAccessKey: string): void };
  };
  export default account;
}
