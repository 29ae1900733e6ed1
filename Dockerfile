# JupyterLab with the kernel "Unlearning (Go)", built and warm.
#
#   docker build -t unlearnlab .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD/out:/out" unlearnlab figures
#   docker run --rm --user "$(id -u):$(id -g)" -p 8888:8888 -v "$PWD/work:/work" unlearnlab lab
#   docker run --rm unlearnlab test
#
# --build-arg DEVICE=cuda adds the PJRT plugin for NVIDIA GPUs. Any --user can be given, who owns what is written.
# With --read-only give --tmpfs /tmp, and for lab --tmpfs /home/lab and a volume for /lab/go/build.

# The folders of this stage are those of the image, so that what it compiles is found again there.
FROM golang:1.26.8-bookworm AS build
ENV GOEXPERIMENT=simd GOTOOLCHAIN=local GOFLAGS= GOPATH=/lab/go
WORKDIR /lab/unlearnlab
COPY go.mod go.sum ./
COPY scripts/jupyter/gopls scripts/jupyter/gopls
RUN go mod download && cd scripts/jupyter/gopls && go mod download
COPY . .
# The command can load plugins and so needs cgo; cells, in an image without a C compiler, have none.
RUN GOCACHE=/tmp/command go build -ldflags=-s -o /lab/bin/unlearnlab ./cmd/unlearnlab && rm -r /tmp/command
RUN scripts/docker/fill

FROM debian:bookworm-slim AS jupyter
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv
COPY scripts/jupyter/requirements.txt scripts/jupyter/overrides.json /lab/
RUN python3 -m venv /lab/venv && /lab/venv/bin/pip install --no-cache-dir --requirement /lab/requirements.txt \
 && mkdir -p /lab/venv/share/jupyter/lab/settings && mv /lab/overrides.json /lab/venv/share/jupyter/lab/settings/ \
 && find /lab/venv -depth -type d -name tests -exec rm -r {} +

FROM jupyter AS device
ARG DEVICE=cpu
COPY scripts/jupyter/cuda.txt /lab/
COPY --from=build /lab/bin/unlearnlab /lab/bin/
RUN mkdir -p /lab/device && if [ "$DEVICE" = cuda ]; then \
    UNLEARNLAB_HOME=/lab/device /lab/bin/unlearnlab device install cuda \
 && /lab/venv/bin/pip install --no-cache-dir --no-deps --target /lab/device/plugins --requirement /lab/cuda.txt; fi

FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates procps python3 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin \
 && useradd --create-home --uid 1000 lab && mkdir -p /out /work /lab/store \
 && chown lab:lab /out /work /lab /lab/store && chmod 777 /out /work /lab/store /home/lab
ENV PATH=/lab/bin:/lab/venv/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin HOME=/home/lab \
    GOEXPERIMENT=simd GOTOOLCHAIN=local GOFLAGS= GOPATH=/lab/go GOCACHE=/lab/go/build CGO_ENABLED=0 \
    UNLEARNLAB_HOME=/lab/store PJRT_PLUGIN_LIBRARY_PATH=/lab/device/plugins/cuda LAB_NOTEBOOKS=/work \
    JUPYTER_PATH=/lab/venv/share/jupyter
COPY --from=jupyter --chown=lab:lab /lab/venv /lab/venv
COPY --from=device --chown=lab:lab /lab/device /lab/device
COPY --from=build /usr/local/go /usr/local/go
COPY --from=build --chown=lab:lab /lab /lab
USER lab
WORKDIR /lab/unlearnlab
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["scripts/docker/healthy"]
ENTRYPOINT ["scripts/docker/entrypoint"]
CMD ["lab"]
