# JupyterLab with the kernel "Unlearning (Go)", built and warm.
#
#   docker build -t unlearnlab .
#   docker run --rm -v "$PWD/out:/out" unlearnlab figures
#   docker run --rm -p 8888:8888 unlearnlab lab
#   docker run --rm unlearnlab test
#
# --build-arg DEVICE=cuda adds the PJRT plugin for NVIDIA GPUs.

FROM golang:1.26.8-bookworm AS build
ENV GOEXPERIMENT=simd
WORKDIR /lab/unlearnlab
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -o /lab/bin/unlearnlab ./cmd/unlearnlab

FROM debian:bookworm-slim
ARG DEVICE=cpu
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates procps python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/go /usr/local/go
COPY lab/requirements.txt lab/overrides.json /lab/
RUN python3 -m venv /lab/venv && /lab/venv/bin/pip install --no-cache-dir --requirement /lab/requirements.txt \
 && mkdir -p /lab/venv/share/jupyter/lab/settings && cp /lab/overrides.json /lab/venv/share/jupyter/lab/settings/
COPY --from=build /lab/bin/unlearnlab /usr/local/bin/unlearnlab
COPY lab/cuda.txt /lab/
RUN if [ "$DEVICE" = cuda ]; then \
      UNLEARNLAB_HOME=/lab/device unlearnlab device install cuda \
   && /lab/venv/bin/pip install --no-cache-dir --no-deps --target /lab/device/plugins --requirement /lab/cuda.txt; fi
ENV PJRT_PLUGIN_LIBRARY_PATH=/lab/device/plugins/cuda
RUN useradd --create-home --uid 1000 lab && mkdir -p /out /lab/bin /lab/go && chown -R lab:lab /out /lab
ENV PATH=/lab/bin:/lab/venv/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin \
    GOEXPERIMENT=simd GOTOOLCHAIN=local GOFLAGS= GOPATH=/lab/go GOCACHE=/lab/go/build UNLEARNLAB_HOME=/lab/store HOME=/home/lab
COPY --from=build --chown=lab:lab /go/pkg /lab/go/pkg
COPY --from=build --chown=lab:lab /lab/bin /lab/bin
COPY --chown=lab:lab . /lab/unlearnlab
USER lab
WORKDIR /lab/unlearnlab
# The cache is filled as the user who runs cells, with the paths that cells will have.
RUN unlearnlab kernel install --prefix /lab/venv --root /lab/unlearnlab && go vet ./...
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["docker/healthy"]
ENTRYPOINT ["docker/entrypoint"]
CMD ["lab"]
